import { spawn, spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../proxies/free-port.ts'

export const hasNginx = spawnSync('nginx', ['-v'], { stdio: 'ignore' }).status === 0

/** Limits of a proxy: the largest body, and the timeout; and whether it streams. */
export interface Manner {
  body: string
  patience: string
  passes?: boolean
}

const IMPATIENT: Manner = { body: '1m', patience: '5s' }

const settings = (home: string, port: number, targets: readonly string[], { body, patience, passes }: Manner) => `
daemon off;
pid ${home}/pid;
error_log ${home}/error.log;
events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path ${home}/body;
  proxy_temp_path ${home}/proxy;
  fastcgi_temp_path ${home}/fastcgi;
  uwsgi_temp_path ${home}/uwsgi;
  scgi_temp_path ${home}/scgi;
  client_max_body_size ${body};
  client_header_timeout ${patience};
  client_body_timeout ${patience};
  send_timeout ${patience};
  keepalive_timeout ${patience};
  proxy_connect_timeout ${patience};
  proxy_send_timeout ${patience};
  proxy_read_timeout ${patience};
  upstream targets {
    ${targets.map(target => `server ${new URL(target).host} max_fails=0;`).join(' ')}
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://targets;
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      ${passes ? 'proxy_request_buffering off; proxy_buffering off;' : ''}
    }
  }
}
`

export interface Proxy {
  url: string
  host: string
  port: number
  stop(): Promise<void>
}

/** Puts nginx in front of servers, in round-robin order; its timeouts are short by default. */
export async function startNginx(targets: readonly string[], manner = IMPATIENT): Promise<Proxy> {
  const home = await mkdtemp(join(tmpdir(), 'nginx-'))
  // Its workers are another user when it is started by root.
  await chmod(home, 0o755)
  const port = await freePort()
  await writeFile(join(home, 'nginx.conf'), settings(home, port, targets, manner))
  const child = spawn('nginx', ['-p', home, '-c', join(home, 'nginx.conf'), '-e', join(home, 'error.log')])
  const ended = new Promise(resolve => child.once('close', resolve))
  const url = `http://127.0.0.1:${port}`
  while (!(await fetch(url).catch(() => undefined))) {
    if (child.exitCode !== null) throw new Error('nginx did not start')
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return {
    url,
    host: '127.0.0.1',
    port,
    async stop() {
      child.kill('SIGTERM')
      await ended
      await rm(home, { recursive: true })
    },
  }
}
