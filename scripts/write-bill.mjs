// node scripts/write-bill.mjs [folder]: what a build is made of, with all licences, into dist/ or the folder that is named.
import { writeBill } from './lib/bill.mjs'
import { inRepo } from './lib/repo.mjs'

writeBill(process.argv[2] ?? inRepo('dist'))
