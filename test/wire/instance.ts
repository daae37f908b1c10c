import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished } from 'vitest'
import { type Instance, type OwnServer, type StartOptions, startServer, uniqueName } from './harness.ts'

/** A server that ends with what asked for it: the test that runs, or else the whole file. */
export async function serve(options?: StartOptions): Promise<OwnServer> {
  const server = await startServer(options)
  const isInTest = expect.getState().currentTestName !== undefined
  if (isInTest) onTestFinished(() => server.stop())
  else afterAll(() => server.stop())
  return server
}

/**
 * The instance that `FILIGREE_WIRE_URL`, `FILIGREE_WIRE_ROOT` and `FILIGREE_WIRE_ADMIN_PASSWORD` name — any server that
 * speaks the wire — or one of our own.
 */
export async function openInstance(): Promise<Instance> {
  const { FILIGREE_WIRE_URL: address, FILIGREE_WIRE_ROOT: root } = process.env
  if (!address || !root) return serve()
  const { hostname, port, pathname } = new URL(address)
  const base = pathname.replace(/\/+$/, '')
  return {
    url: `http://${hostname}:${port || 80}${base}`,
    host: hostname,
    port: Number(port || 80),
    base,
    root,
    adminPassword: process.env.FILIGREE_WIRE_ADMIN_PASSWORD ?? '',
  }
}

/** A folder of one test below the served root: its place on disk and its name on the wire. */
export interface Corner {
  disk: string
  /** `/…` without a trailing slash; needs no encoding. */
  path: string
}

/** Makes a folder that only the calling test uses. */
export async function corner({ root }: Pick<Instance, 'root'>, prefix = 't'): Promise<Corner> {
  const name = uniqueName(prefix)
  const disk = join(root, name)
  await mkdir(disk)
  return { disk, path: `/${name}` }
}
