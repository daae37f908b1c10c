import { readdir } from 'node:fs/promises'
import { put, refusal, textAt } from '../conformance/place.ts'
import { openLocal } from '../local.ts'

/** Run by a test on a disk of 8 MiB: prints as JSON how writes there end. The folder is the only argument. */
const root = process.argv[2] ?? ''
const store = await openLocal({ root, stagingKey: Buffer.from('a key for tests only') })
const large = Buffer.alloc(12 * 1024 * 1024)
const result = {
  before: await refusal(put(store, '/a.txt', 'old')),
  tooMuch: await refusal(put(store, '/new/b.bin', large)),
  overwriting: await refusal(put(store, '/a.txt', large)),
  names: await readdir(root),
  content: await textAt(store, '/a.txt'),
  after: await refusal(put(store, '/small.txt', 'fits')),
}
console.log(JSON.stringify(result))
