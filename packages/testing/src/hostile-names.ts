/** A name somebody may send, and what is hostile about it. */
export interface HostileName {
  what: string
  name: string
}

const codeOf = (code: number) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** Invisible, or able to reorder what stands around them. */
const invisible = [
  ...range(0x202a, 0x202e),
  ...range(0x2066, 0x2069),
  ...[0x00a0, 0x00ad, 0x034f, 0x061c, 0x115f, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f],
  ...[0x2028, 0x2029, 0x2060, 0x2800, 0x3000, 0x3164, 0xfeff, 0xfffd, 0xfffe, 0xffff, 0xe0001],
  ...[0xe000, 0x1fffe],
]

const paths = [
  ...['/etc/passwd', '//etc//passwd', '/', '//', '../up.txt', '../../up.txt', '..', '.', './here'],
  ...['../../../../../../../../tmp/floe-escaped', 'a/../../up.txt', 'a/./b', 'a//b', 'a/', 'a/..'],
  ...['....//up.txt', '.../up.txt', '..;/up.txt', '..\\up.txt', '..\\..\\up.txt', '\\', '\\\\'],
  ...[
    'C:\\Windows\\win.ini',
    'C:win.ini',
    'c:/windows/win.ini',
    '\\\\server\\share\\x',
    '//?/C:/x',
  ],
  ...[
    '\\\\.\\PhysicalDrive0',
    '\\\\?\\C:\\x',
    'a\\b/c\\d',
    'folder/../folder/../x',
    'file:///etc/x',
  ],
  ...[
    'http://example.org/x',
    '~/.ssh/authorized_keys',
    '~root',
    '~',
    '/dev/null',
    '/proc/self/mem',
  ],
  ...[
    '..%2fup.txt',
    '%2e%2e%2fup.txt',
    '%2e%2e/up.txt',
    '..%5cup.txt',
    '..%c0%afup.txt',
    '%00.txt',
  ],
  ...[
    'a/b/c/d/e/f/g/h/i/j/k.txt',
    'name/as-folder',
    'name',
    'NAME',
    'Name/AS-FOLDER',
    '..\u2215up',
  ],
  ...[
    '.\u200b./up.txt',
    '\uff0e\uff0e/up.txt',
    '\uff0e\uff0e\uff0fup.txt',
    '.. /up.txt',
    '. ./up.txt',
  ],
]

const reserved = [
  ...[
    'CON',
    'con',
    'PRN',
    'AUX',
    'NUL',
    'nul.txt',
    'aux.txt',
    'con.tar.gz',
    'NUL .txt',
    'nul  .txt',
  ],
  ...[
    'COM1',
    'com9.log',
    'LPT1',
    'lpt9',
    'COM\u00b9',
    'LPT\u00b2.txt',
    'com\u00b3',
    'CONIN$',
    'a/nul/b',
  ],
  ...['x.txt:stream', 'x.txt::$DATA', 'x:y:z', '$MFT', 'desktop.ini', 'Thumbs.db', '.DS_Store'],
  ...[
    'trailing.',
    'trailing...',
    'trailing ',
    'trailing . .',
    ' leading',
    '. . .',
    '...',
    ' ',
    '   ',
  ],
  ...[
    '._resource',
    '.htaccess',
    '.hidden',
    '..hidden',
    '.',
    '__MACOSX/x',
    'what?',
    'star*',
    'a|b',
    'a<b',
  ],
]

const meaningful = [
  ...['"', '""', 'a"b.txt', "it's.txt", '`id`', '$(id)', '${HOME}', '; rm -rf .;', '&& id', '| id'],
  ...[
    '-rf',
    '--help',
    '-',
    '--',
    '-o/tmp/floe-escaped',
    '@file',
    '!history',
    '#comment',
    'a;b',
    'a=b',
  ],
  ...[
    'a;filename=b.txt',
    'a"; filename="b.exe',
    "a''b",
    "UTF-8''evil.exe",
    'a, b',
    'a\\"b',
    '\\',
    '\\n',
  ],
  ...[
    '100%',
    '%41.txt',
    '%',
    '%%',
    '%s%s%n',
    '%zz',
    '{0}',
    '{{7*7}}',
    '${7*7}',
    '<%= 7 %>',
    '#{7}',
  ],
  ...[
    '<img src=x onerror=alert(1)>',
    '<script>alert(1)</script>.txt',
    '</title><script>',
    '&lt;b&gt;',
  ],
  ...['&amp;', '<!--', ']]>', 'javascript:alert(1)', 'data:text/html,x', '"onmouseover="alert(1)'],
  ...[
    "'; DROP TABLE files; --",
    "' OR 1=1 --",
    '__proto__',
    'constructor',
    'toString',
    'null',
    'NaN',
  ],
  ...[
    'undefined',
    'true',
    '0',
    '{"a":1}',
    '[]',
    '=1+1.csv',
    '+1.csv',
    '@SUM(A1).csv',
    'zip',
    'SHA256SUMS',
  ],
  ...['a?b#c', 'a&b=c', 'a+b c', 'a%20b', '{a}.txt', '$t(app.name)', '[link](x).md', '*bold*.md'],
]

const scripts = [
  ...[
    'caf\u00e9.txt',
    'cafe\u0301.txt',
    '\u00c5',
    'A\u030a',
    '\u212b',
    '\ufb01.txt',
    'fi.txt',
    '\uac00',
  ],
  ...[
    '\u1100\u1161',
    'stra\u00dfe',
    'STRASSE',
    '\u0130',
    '\u0131',
    'i\u0307',
    '\u03a3',
    '\u03c3',
    '\u03c2',
  ],
  ...[
    '\u0645\u0633\u062a\u0646\u062f.pdf',
    '\u05e9\u05dc\u05d5\u05dd.exe',
    '\u65e5\u672c\u8a9e.txt',
    'a\u0300'.repeat(30),
  ],
  ...[
    '\ud83d\udc69\u200d\ud83d\udc69\u200d\ud83d\udc67',
    '\ud83c\uddeb\ud83c\uddf4',
    '\ud83d\ude00.png',
    '\u2764\ufe0f',
  ],
  ...[
    'Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334\u0319\u0324',
    '\u0430pple.txt',
    '\u2024\u2024',
    '\ua789',
  ],
]

const lengths = [
  { what: '255 bytes of ASCII', name: `${'x'.repeat(251)}.txt` },
  { what: '255 bytes of two-byte characters', name: `${'\u00e9'.repeat(125)}y.txt` },
  { what: '255 bytes of three-byte characters', name: '\u6c34'.repeat(85) },
  { what: '255 bytes of four-byte characters', name: `${'\ud83d\udca7'.repeat(62)}abc.txt` },
  { what: 'an extension of 250 characters', name: `a.${'e'.repeat(250)}` },
  {
    what: '1023 characters in four names',
    name: `${`${'d'.repeat(255)}/`.repeat(3)}${'l'.repeat(251)}.txt`,
  },
  { what: 'a hundred folders', name: `${'d/'.repeat(100)}deep.txt` },
  { what: 'one character', name: 'z' },
]

/** Names a server can keep: each is somebody's real file somewhere, or somebody's attack. */
export function hostileNames(): HostileName[] {
  const named = (what: string, names: readonly string[]) => names.map((name) => ({ what, name }))
  const all = [
    ...[...range(1, 0x1f), ...range(0x7f, 0x9f), ...invisible].map((code) => ({
      what: codeOf(code),
      name: `in ${codeOf(code)} ${String.fromCodePoint(code)}side.txt`,
    })),
    { what: 'a name that reads as a picture', name: 'invoice\u202efdp.exe' },
    { what: 'a name that reads as a picture', name: 'holiday\u2067gpj.exe\u2069' },
    { what: 'a line break and a header', name: 'a\r\nSet-Cookie: floe=1\r\n\r\n<script>' },
    { what: 'what macOS calls the icon of a folder', name: 'Icon\r' },
    { what: 'an escape sequence', name: '\u001b[31mred\u001b[0m\u001b]0;title\u0007' },
    ...named('a path', paths),
    ...named('reserved somewhere', reserved),
    ...named('means something to a program', meaningful),
    ...named('another script or form', scripts),
    ...lengths,
  ]
  return [...new Map(all.map((one) => [one.name, one])).values()]
}

/** Names no server can keep: they are refused. */
export function impossibleNames(): HostileName[] {
  return [
    { what: 'nothing', name: '' },
    { what: 'NUL', name: '\u0000' },
    { what: 'NUL before an extension', name: 'a.exe\u0000.png' },
    { what: '256 bytes of ASCII', name: `${'x'.repeat(252)}.txt` },
    { what: '256 bytes in 88 characters', name: `${'\u6c34'.repeat(84)}.txt` },
    { what: '256 bytes in the name of a folder', name: `a/${'x'.repeat(256)}/b.txt` },
    { what: 'more than 1024 characters', name: 'x/'.repeat(600) },
    { what: 'ten thousand characters', name: 'x'.repeat(10_000) },
  ]
}
