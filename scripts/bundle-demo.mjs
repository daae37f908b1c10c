// node scripts/bundle-demo.mjs FOLDER: the demo of npm run demo in a folder for the image, which has neither tests nor
// their packages. The folder is one of a release, whose packages it uses. Its files lie as they do below test/.
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { EXTERNAL } from './lib/externals.mjs'
import { inRepo } from './lib/repo.mjs'

const folder = process.argv[2]
const bundle = await rolldown({
  input: { main: inRepo('test/demo/main.ts') },
  platform: 'node',
  external: [/^node:/, ...EXTERNAL],
})
await bundle.write({ dir: join(folder, 'e2e', 'screens'), format: 'esm', comments: false, codeSplitting: false })
await bundle.close()
cpSync(inRepo('test/corpus/documents'), join(folder, 'corpus', 'documents'), { recursive: true })
