import { expect, test } from 'vitest';
import { applyVariant } from '../../src/campaign/components.ts';

const KERNEL = [
  'start();',
  '// #component heartbeat',
  'beat();',
  'beat();',
  '// #end',
  'work();',
  '  # #component empty',
  '# #end',
  '',
].join('\n');
const apply = (variant: Partial<Parameters<typeof applyVariant>[1]>, ...texts: string[]) =>
  applyVariant(
    (texts.length > 0 ? texts : [KERNEL]).map((text, i) => ({ path: `${'ab'[i]}.ts`, text })),
    { name: 'v', ...variant },
  ).map(({ text }) => text);

test('a stripped component leaves its lines empty, so that no other line gets another number', () => {
  expect(apply({ strip: ['heartbeat'] })).toEqual([KERNEL.replaceAll('beat();', '')]);
});

test('a replacement takes the place of the component', () => {
  expect(apply({ replace: { heartbeat: 'sleep();' } })[0]?.split('\n')).toEqual(
    KERNEL.replace('beat();\nbeat();', 'sleep();\n').split('\n'),
  );
  expect(apply({ replace: { heartbeat: '1\n2\n3', empty: 'x' } })).toEqual([
    KERNEL.replace('beat();\nbeat();', '1\n2\n3').replace('#component empty\n', '#component empty\nx\n'),
  ]);
});

test('edits are made one after the other, and before components are looked for', () => {
  const edit = [
    { file: 'a.ts', from: 'work();', to: 'rest();' },
    { file: 'a.ts', from: 'start();\n', to: '// #component late\nstart();\n// #end\n' },
    { file: 'a.ts', from: 'rest', to: '$& and $1' },
  ];
  expect(apply({ edit, strip: ['late'] })).toEqual([
    KERNEL.replace('work', () => '$& and $1').replace('start();', '// #component late\n\n// #end'),
  ]);
});

test.each([
  [
    'text that is nowhere',
    'beta();',
    'a.ts: variant v edits a text that stands nowhere in it: "beta();". Write a text that stands there exactly once',
  ],
  ['text that is there twice', 'beat();', 'a.ts: variant v edits a text that stands 2 times in it'],
])('an edit of a %s is refused', (_, from, message) => {
  expect(() => apply({ edit: [{ file: 'a.ts', from, to: '' }] })).toThrow(message);
});

test('an edit of a file that is not there is refused', () => {
  expect(() => apply({ edit: [{ file: 'c.ts', from: 'x', to: '' }] })).toThrow(
    "variant v edits c.ts, which the kernel does not have. Write the file's path, relative to the kernel's folder.",
  );
});

test('without changes, and with an empty component stripped, the text is as it was', () => {
  expect(apply({})).toEqual([KERNEL]);
  expect(apply({ strip: ['empty'] })).toEqual([KERNEL]);
});

test('a file that has no component may use #end as it likes', () => {
  expect(apply({ strip: ['heartbeat'] }, KERNEL, '#if x\n#end\n')[1]).toBe('#if x\n#end\n');
});

test.each([
  [
    'a component that nobody has',
    ['heartbaet'],
    [KERNEL],
    'variant v changes the component heartbaet, which the kernel does not have. Write one of heartbeat, empty (did you mean heartbeat?).',
  ],
  [
    'a kernel without components',
    ['x'],
    ['start();'],
    'variant v changes the component x, which the kernel does not have. Mark it in the source: // #component <name> … // #end.',
  ],
  ['no end', [], ['\n// #component x\n'], 'a.ts:2: component x has no end.'],
  ['no beginning', [], ['// #component x\n// #end\n// #end'], 'a.ts:3: #end ends no component.'],
  [
    'one in another',
    [],
    ['// #component x\n// #component y\n// #end\n// #end'],
    'a.ts:2: component y begins inside component x. End that one first: it began in line 1.',
  ],
  ['one name twice, even in two files', [], [KERNEL, '// #component heartbeat\n// #end'], 'b.ts:1: component heartbeat is also in a.ts:2.'],
  ['no name', [], ['// #component\n// #end'], "a.ts:1: a component can't be named ''."],
])('refuses %s', (_, strip, texts, message) => {
  expect(() => apply({ strip }, ...texts)).toThrow(message);
});
