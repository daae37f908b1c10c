import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { OwnServer } from '../api/harness.ts'
import { serve } from '../api/instance.ts'

const hasPrometheus = spawnSync('prometheus', ['--version']).status === 0
const grafana = readFileSync(new URL('../../deploy/grafana/filigree.json', import.meta.url), 'utf8')
const deployed = (file: string) => readFileSync(new URL(`../../deploy/prometheus/${file}`, import.meta.url), 'utf8')

/** A response of Prometheus, as far as it is read. */
interface Answer {
  data?: { result?: { value?: [time: number, text: string] }[] }
}

test.runIf(hasPrometheus)(
  'a Prometheus scrapes a server, and every panel of the dashboard has data',
  async () => {
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
    const work = setInterval(() => void load(server).catch(() => undefined), 500)
    onTestFinished(() => clearInterval(work))
    for (const [title, query] of dashboardQueries())
      await expect.poll(() => ask(query), { timeout: 60_000, message: `${title}: ${query}` }).toBeDefined()
  },
  300_000,
)

/** What the panels of the dashboard ask, as Grafana fills in its variables; but for what only servers with providers have. */
function dashboardQueries(): [title: string, query: string][] {
  const panels: { title: string; targets?: { expr: string }[] }[] = JSON.parse(grafana).panels
  const filled = (text: string) =>
    text.replaceAll('$job', 'filigree').replaceAll('$instance', '.+').replaceAll('$__rate_interval', '30s')
  const queries = panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }): [string, string] => [title, filled(expr)]),
  )
  return queries.filter(([, query]) => !query.includes('filigree_provider_up'))
}

/** Requests of which the panels have rates: answered, and refused sign-ins. */
async function load(server: OwnServer): Promise<void> {
  await fetch(`${server.url}/login`)
  const body = JSON.stringify({ username: 'nobody', password: 'a-wrong-password' })
  await fetch(`${server.url}/api/login`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
}

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
