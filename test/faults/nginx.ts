import { spawn, spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../proxies/free-port.ts'

export const hasNginx = spawnSync('nginx', ['-v'], { stdio: 'ignore' }).status === 0

/** A proxy with little patience: bodies of 1 MB, and five seconds for everything. */
const settings = (home: string, port: number, target: string) => `
daemon off;
pid ${home}/pid;
error_log ${home}/error.log;
events {}
http {
  access_log off;
  client_body_temp_path ${home}/body;
  proxy_temp_path ${home}/proxy;
  fastcgi_temp_path ${home}/fastcgi;
  uwsgi_temp_path ${home}/uwsgi;
  scgi_temp_path ${home}/scgi;
  client_max_body_size 1m;
  client_header_timeout 5s;
  client_body_timeout 5s;
  send_timeout 5s;
  keepalive_timeout 5s;
  proxy_connect_timeout 5s;
  proxy_send_timeout 5s;
  proxy_read_timeout 5s;
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass ${target};
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
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

/** Puts nginx in front of a server. */
export async function startNginx(target: string): Promise<Proxy> {
  const home = await mkdtemp(join(tmpdir(), 'nginx-'))
  // Its workers are another user when it is started by root.
  await chmod(home, 0o755)
  const port = await freePort()
  await writeFile(join(home, 'nginx.conf'), settings(home, port, target))
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
