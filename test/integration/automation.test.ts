import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { manager, send } from '../api/accounts.ts'
import { call, json } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { automationPrograms } from '../docs/guides.ts'
import { freePort } from '../proxies/free-port.ts'

const server = await serve({ args: ['--webhookNetworks', '127.0.0.1'] })
const admin = await manager(server)
const upload = (path: string, body: string) =>
  call(server, `/api/resources${path}`, { method: 'POST', token: admin.token, body })
const read = async (path: string) => (await call(server, `/api/raw${path}`, { token: admin.token })).text

test('the receiver of docs/automation.md runs a program for each new file, and takes no forged event', async () => {
  const home = await mkdtemp(join(tmpdir(), 'automation-'))
  onTestFinished(() => rm(home, { recursive: true }))
  for (const [name, text] of Object.entries(automationPrograms())) await writeFile(join(home, name), text)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const hook = { name: 'convert', url, types: ['file.uploaded'], folder: '/inbox', pattern: '*.csv' }
  const { secret } = json(await send(server, 'POST', '/api/webhooks', admin.token, hook))
  const env = {
    ...process.env,
    SECRET: secret,
    PORT: String(port),
    FILIGREE_URL: server.url,
    FILIGREE_TOKEN: admin.token,
  }
  const receiver = spawn('python3', ['receiver.py', 'convert.py'], { cwd: home, env, stdio: 'ignore' })
  onTestFinished(() => void receiver.kill())
  const forged = { type: 'file.uploaded', data: { path: '/inbox/other.csv' } }
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,forged' }
  const forge = () => fetch(url, { method: 'POST', headers, body: JSON.stringify(forged) }).then(({ status }) => status)
  await expect.poll(() => forge().catch(() => 0)).toBe(401)
  await upload('/inbox/new table.csv', 'name,town\nAnn,Bern\n')
  await expect.poll(() => read('/inbox/new%20table.json')).toBe('[{"name": "Ann", "town": "Bern"}]')
})
