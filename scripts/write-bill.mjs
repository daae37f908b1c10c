// node scripts/write-bill.mjs [folder]: the bill of materials of a build, with all licences, into dist/ or the given
// folder.
import { writeBill } from './lib/bill.mjs'
import { inRepo } from './lib/repo.mjs'

writeBill(process.argv[2] ?? inRepo('dist'))
