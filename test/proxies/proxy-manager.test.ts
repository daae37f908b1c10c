import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { probeTarget } from '../../server/cli/doctor/ask.ts'
import { stateOf } from '../../shared/api/diagnostics.ts'
import { probeProxy } from '../../shared/diagnostics/probe-proxy.ts'
import { signIn } from '../api/client.ts'
import { openCommand } from '../api/command-client.ts'
import { serve } from '../api/instance.ts'
import { blocksIn } from '../docs/follow.ts'
import { freePort } from './free-port.ts'
import { isThere, makeCertificate, type RunningProxy, startProgram, trust } from './proxies.ts'

const MB = 1_000_000

/** The lines of the guide for the field "Advanced". */
const ADVANCED = blocksIn('docs/reverse-proxy.md', 'nginx').find(text => text.startsWith('client_max_body_size')) ?? ''

/**
 * nginx as Nginx Proxy Manager configures it for a proxy host with Websockets Support: limits and timeouts of its own,
 * compression, a host name without a port, an upstream in variables, and "Advanced" at the end of the server.
 */
const configuration = (home: string, port: number, target: { host: string; port: number }, [pem, key]: string[]) => `
daemon off;
pid ${home}/pid;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${home}/${name};`).join('\n  ')}
  sendfile on;
  gzip on;
  client_max_body_size 2000m;
  proxy_connect_timeout 90s;
  proxy_send_timeout 90s;
  proxy_read_timeout 90s;
  proxy_http_version 1.1;
  proxy_set_header Accept-Encoding "";
  server {
    set $forward_scheme http;
    set $server "${target.host}";
    set $port ${target.port};
    listen 127.0.0.1:${port} ssl http2;
    server_name 127.0.0.1;
    ssl_certificate ${pem};
    ssl_certificate_key ${key};
    proxy_set_header Upgrade $http_upgrade;
    proxy_set_header Connection $http_connection;
    ${ADVANCED}
    location / {
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $http_connection;
      add_header X-Served-By $host;
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-Scheme $scheme;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Real-IP $remote_addr;
      proxy_pass $forward_scheme://$server:$port$request_uri;
    }
  }
}
`

describe.skipIf(!isThere('nginx'))('behind Nginx Proxy Manager, as the guide sets it up,', async () => {
  const server = await serve({ args: ['--trustedProxies', '127.0.0.1', '--disableExec=false'] })
  const token = await signIn(server)
  const headers = { 'X-Auth': token }
  const folder = await mkdtemp(join(tmpdir(), 'certificate-'))
  let proxy: RunningProxy
  beforeAll(async () => {
    const certificate = await makeCertificate(folder)
    await trust(certificate)
    const [home, port] = [await mkdtemp(join(tmpdir(), 'proxy-')), await freePort()]
    await chmod(home, 0o755)
    const main = join(home, 'main')
    await writeFile(main, configuration(home, port, server, [certificate.pem, certificate.key]))
    proxy = await startProgram('nginx', ['-p', home, '-c', main, '-e', join(home, 'error.log')], { home, port })
  })
  afterAll(async () => {
    await proxy.stop()
    await rm(folder, { recursive: true, force: true })
  })

  test('users sign in and get a cookie for HTTPS only', async () => {
    const body = JSON.stringify({ username: 'admin', password: server.adminPassword, recaptcha: '' })
    const answer = await fetch(`${proxy.origin}/api/login`, { method: 'POST', body })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('set-cookie')?.split('; ')).toEqual(expect.arrayContaining(['Secure', 'HttpOnly']))
  })

  test('a file of any name and size is uploaded and downloaded', async () => {
    const content = randomBytes(3 * MB)
    const at = '/api/resources/100%25%20a+b%3F%23%C3%A9&;.bin'
    const sent = await fetch(proxy.origin + at, { method: 'POST', headers, body: content })
    expect(sent.status).toBe(200)
    expect((await readFile(join(server.root, '100% a+b?#é&;.bin'))).equals(content)).toBe(true)
    const got = await fetch(proxy.origin + at.replace('resources', 'raw'), { headers })
    expect(Buffer.from(await got.arrayBuffer()).equals(content)).toBe(true)
  })

  test('an open folder is notified at once', async () => {
    const ending = new AbortController()
    const { body } = await fetch(`${proxy.origin}/api/events?folder=/`, { headers, signal: ending.signal })
    let received = ''
    const write = (chunk: Uint8Array) => {
      received += Buffer.from(chunk)
    }
    body?.pipeTo(new WritableStream({ write })).catch(() => {})
    await writeFile(join(server.root, 'new'), 'x')
    await expect.poll(() => received).toContain('event: folder')
    ending.abort()
  })

  test('a terminal opens', async () => {
    const options = { token, options: { rejectUnauthorized: false } }
    const { socket, closed } = await openCommand({ url: proxy.origin }, options)
    socket.close()
    await closed
  })

  test('the doctor finds nothing that is blocked', async () => {
    const findings = await probeProxy(probeTarget(proxy.origin))
    expect(findings.filter(finding => stateOf(finding) !== 'fine')).toEqual([])
  })
})
