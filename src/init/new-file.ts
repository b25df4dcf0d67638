/** A file that is to be made. Its path is relative to the project. */
export interface NewFile {
  path: string;
  text: string;
}
