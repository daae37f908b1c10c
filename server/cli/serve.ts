import { readConfig } from '../config.ts'
import { type RunningServer, start } from '../main.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/** Serves until a signal comes, then lets running requests end. */
export async function serve(args: readonly string[]): Promise<void> {
  const config = readConfig(args)
  const server = await start(config)
  console.log(greeting(server, config.root))
  await new Promise<void>(stop => {
    for (const signal of SIGNALS) process.once(signal, () => stop())
  })
  await server.stop()
}

function greeting({ url, firstAdmin }: RunningServer, root: string): string {
  const lines = ['', `  Filigree serves ${root}`, `  at ${url}`]
  if (firstAdmin) lines.push('', `  User:     ${firstAdmin.username}`)
  if (firstAdmin?.password) {
    lines.push(`  Password: ${firstAdmin.password}`, '', '  The password is shown only this once: keep it.')
  }
  return `${lines.join('\n')}\n`
}
