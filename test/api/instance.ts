import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished, type RunnerTestCase, TestRunner } from 'vitest'
import { type Instance, type OwnServer, type StartOptions, startServer, uniqueName } from './harness.ts'
import { type Observed, watchCalls } from './observe.ts'

/** A server that ends with the test that started it, or else with the file. */
export async function serve(options?: StartOptions): Promise<OwnServer> {
  const server = await startServer(options)
  if (TestRunner.getCurrentTest()) onTestFinished(() => server.stop())
  else afterAll(() => server.stop())
  return server
}

/** Of tests about the trash, and about undo, which needs it: whatever trash the others run with. */
export const WITH_TRASH: StartOptions = { args: ['--trash', 'on'] }

/** Whether what the tests delete goes to the trash without a word; `test.runIf` of single tests that need it. */
export const KEEPS_DELETED = (process.env.FILIGREE_TEST_TRASH ?? 'on') === 'on'

/**
 * The server that `FILIGREE_WIRE_URL`, `…_ROOT`, `…_USER` and `…_PASSWORD` name — any that speaks the wire — or one of
 * our own, under the base URL that `FILIGREE_WIRE_BASE` names, with programs allowed. Its calls count for the coverage
 * table.
 * @param more starts one of our own
 */
export async function openInstance({ args = [], ...more }: StartOptions = {}): Promise<Instance> {
  watchCalls(call => noteCall(base, call))
  const { FILIGREE_WIRE_URL: address, FILIGREE_WIRE_ROOT: root, FILIGREE_WIRE_BASE } = process.env
  const { hostname = '', port = '', pathname = FILIGREE_WIRE_BASE ?? '' } = address ? new URL(address) : {}
  const base = pathname.replace(/\/+$/, '')
  if (!address || !root) return serve({ base, ...more, args: ['--disableExec=false', '--execSandbox=none', ...args] })
  return {
    url: `http://${hostname}:${port || 80}${base}`,
    host: hostname,
    port: Number(port || 80),
    base,
    root,
    adminName: process.env.FILIGREE_WIRE_USER ?? 'admin',
    adminPassword: process.env.FILIGREE_WIRE_PASSWORD ?? '',
  }
}

/** Records a call of the current test for the coverage table. */
function noteCall(base: string, { method, path, status }: Observed): void {
  const test = TestRunner.getCurrentTest<RunnerTestCase | undefined>()
  if (!test || !path.startsWith(base)) return
  test.meta.calls ??= []
  const call = `${method} ${status} ${path.slice(base.length)}`
  if (!test.meta.calls.includes(call)) test.meta.calls.push(call)
}

/** A folder of one test below the served root: its path on disk and on the wire. */
export interface Corner {
  disk: string
  /** `/…` without a trailing slash; needs no encoding. */
  path: string
}

/** Creates a folder that only the calling test uses. */
export async function corner({ root }: Pick<Instance, 'root'>, prefix = 't'): Promise<Corner> {
  const name = uniqueName(prefix)
  const disk = join(root, name)
  await mkdir(disk)
  return { disk, path: `/${name}` }
}

/** A folder outside every scope, deleted after the test. */
export async function outsideFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'outside-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
