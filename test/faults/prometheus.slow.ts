import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { OwnServer } from '../api/harness.ts'
import { serve } from '../api/instance.ts'

const hasPrometheus = spawnSync('prometheus', ['--version']).status === 0
const deployed = (file: string) => readFileSync(new URL(`../../deploy/prometheus/${file}`, import.meta.url), 'utf8')

/** A response of Prometheus, as far as it is read. */
interface Answer {
  data?: { result?: { value?: [time: number, text: string] }[] }
}

test.runIf(hasPrometheus)('a Prometheus scrapes a server', async () => {
  const server = await serve({ args: ['--metrics', '127.0.0.1:0'] })
  const { host } = new URL(await metricsOf(server))
  const folder = join(server.home, 'prometheus')
  await mkdir(folder)
  await writeFile(join(folder, 'rules.yml'), deployed('rules.yml'))
  const config = deployed('prometheus.yml').replaceAll('127.0.0.1:9180', host).replace('15s', '1s')
  await writeFile(join(folder, 'prometheus.yml'), config)
  const port = await freePort()
  const flags = ['--config.file=prometheus.yml', '--storage.tsdb.path=data', `--web.listen-address=127.0.0.1:${port}`]
  const prometheus = spawn('prometheus', flags, { cwd: folder, stdio: 'ignore' })
  onTestFinished(() => void prometheus.kill())
  const ask = async (query: string) => {
    const url = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(query)}`
    const answer = (await fetch(url).then(
      response => response.json(),
      () => undefined,
    )) as Answer | undefined
    return answer?.data?.result?.[0]?.value?.[1]
  }
  await expect.poll(() => ask('up{job="filigree"}'), { timeout: 20_000 }).toBe('1')
  expect(await ask('filigree_database_up{job="filigree"}')).toBe('1')
})

/** The address of the metrics of a server that picked a free port, from its log. */
async function metricsOf(server: OwnServer): Promise<string> {
  const find = async () => /"port":(\d+),"msg":"metrics/.exec(await server.log())?.[1]
  await expect.poll(find).toBeDefined()
  return `http://127.0.0.1:${await find()}`
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
