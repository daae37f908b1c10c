// Stands for the program in browser tests of the image: runs the image that TRIED_IMAGE names with these arguments. The
// container has the network and the temporary folder of this machine, and forwards signals.
import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { podman } from './image.mjs'
import { forwardSignals } from './run.mjs'

const { TRIED_IMAGE: image = 'localhost/filigree' } = process.env
const settings = Object.keys(process.env).filter(name => name.startsWith('FILIGREE_'))
const { args, env } = podman(
  ...['run', '--rm', '--network', 'host', '--ulimit', 'host', '--no-healthcheck', '--read-only', '--cap-drop', 'all'],
  // What tests make belongs to root.
  ...['--cap-add', 'chown', '--cap-add', 'setgid', '--cap-add', 'setuid', '--env', 'PUID=0'],
  ...settings.flatMap(name => ['--env', name]),
  ...['--volume', `${tmpdir()}:${tmpdir()}`],
  image,
  ...process.argv.slice(2),
)
const child = spawn('podman', args, { env, stdio: 'inherit' })
forwardSignals(child)
child.on('close', code => {
  process.exitCode = code ?? 1
})
