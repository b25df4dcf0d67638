/** Around what a control takes out. Not written out where files with them are made, or that source itself would have the component. */
export const [BEGIN, END] = ['#component', '#end'];
