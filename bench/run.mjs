// npm run bench [-- P6 P10 … --small --whole]: Filigree next to other servers on this machine, on the same data,
// alternating: one warm-up round, then the measured ones. Prints the ratios' median, minimum and maximum, and writes
// everything to bench/results/. Compare ratios only; the times belong to this machine. A peer that is not installed is
// "absent". --before=DIR adds the build of another checkout, to compare with. --small is a dry run with small sizes, --whole takes sizes ten times larger and all of P15's users; `cores`
// measures the gain of a second processor.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBefore, startCaddy, startFileBrowser, startFiligree, startNginx, startRclone } from './peers.mjs'
import { heading, report } from './report.mjs'
import { cores } from './works/cores.mjs'
import { webdav } from './works/dav.mjs'
import { largeListing, manyListings } from './works/listings.mjs'
import { idle, names } from './works/names.mjs'
import { thumbs } from './works/thumbs.mjs'
import { download, parallelDownloads, smallUploads, upload } from './works/transfers.mjs'
import { checksum, copy, zip } from './works/trees.mjs'
import { crowd } from './works/users.mjs'

const WORKS = {
  P1: download,
  P2: parallelDownloads,
  P3: upload,
  P4: smallUploads,
  P5: manyListings,
  P6: largeListing,
  P8: names,
  P9: thumbs,
  P10: zip,
  P11: copy,
  P12: checksum,
  P13: idle,
  P15: crowd,
  P16: webdav,
  cores,
}
/** Without a goal; only on request. */
const ON_DEMAND = ['cores']
/** Scale of the sizes in a dry run. */
const SMALL = 1 / 64

const flags = process.argv.slice(2).filter(word => word.startsWith('--'))
const asked = process.argv.slice(2).filter(word => !word.startsWith('--'))
const before = flags.find(flag => flag.startsWith('--before='))?.slice('--before='.length)
const works = asked.length > 0 ? asked : Object.keys(WORKS).filter(name => !ON_DEMAND.includes(name))
const unknown = works.filter(name => !WORKS[name])
if (unknown.length > 0) throw new Error(`there is no ${unknown.join(', ')}; there are ${Object.keys(WORKS).join(', ')}`)

const scratch = mkdtempSync(join(tmpdir(), 'filigree-bench-'))
const servers = {}
try {
  const root = join(scratch, 'root')
  mkdirSync(root)
  servers.ours = await startFiligree(root, scratch)
  servers.nginx = await startNginx(root, scratch)
  servers.caddy = await startCaddy(root, scratch)
  servers.rclone = await startRclone(root)
  servers.filebrowser = await startFileBrowser(root, scratch)
  if (before !== undefined) servers.before = await startBefore(root, scratch, before)
  const scale = flags.includes('--small') ? SMALL : 1
  const how = { root, scratch, servers, before, scale, whole: flags.includes('--whole') }
  const rows = []
  for (const name of works) rows.push(...(await WORKS[name](how)))
  console.log(heading())
  report(rows, works)
} finally {
  await Promise.all(Object.values(servers).map(async server => server?.stop()))
  rmSync(scratch, { recursive: true, force: true })
}
