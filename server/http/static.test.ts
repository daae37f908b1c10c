import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { serveBuilt } from './static.ts'

let root: string
let app: FastifyInstance

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'filigree-static-'))
  await mkdir(join(root, 'assets'))
  await writeFile(join(root, 'assets', 'main-1.js'), 'first')
  app = fastify()
  await serveBuilt(app, root)
})
afterEach(async () => {
  await app.close()
  await rm(root, { recursive: true })
})

const statusOf = async (name: string) => (await app.inject(`/static/${name}`)).statusCode

test('a built file has its address, and an address that is spelled otherwise has none', async () => {
  expect((await app.inject('/static/assets/main-1.js')).body).toBe('first')
  for (const name of ['', 'assets', 'assets/', 'assets/Main-1.js', 'assets//main-1.js'])
    expect([name, await statusOf(name)]).toEqual([name, 404])
})

test('a file of an update is there without a restart', async () => {
  expect(await statusOf('assets/main-2.js')).toBe(404)
  await writeFile(join(root, 'assets', 'main-2.js'), 'second')
  expect(await statusOf('assets/main-2.js')).toBe(200)
})
