import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { KEPT } from './kept.ts'

const HEAD = `# Screens

Pictures of the interface, with sample files. \`npm run screens\` takes them again. It also takes the other screens, each in the
light theme, in the dark theme and on a phone, into \`docs/screens/all\`, which is not in the repository. This page and its
pictures are listed in \`test/e2e/screens/kept.ts\`.
`

/** Writes the README.md of the kept screenshots. */
export function writeIndex(folder: string): void {
  const sections = Object.entries(KEPT).map(([name, caption]) => `## ${caption}\n\n![${caption}](${name}.png)\n`)
  writeFileSync(join(folder, 'README.md'), [HEAD, ...sections.map(unique)].join('\n'))
}

/** Headings of one name would share an anchor, so only the first form of a screen has one. */
const unique = (section: string) => (section.startsWith('## The same') ? section.replace(/^## .*\n\n/, '') : section)
