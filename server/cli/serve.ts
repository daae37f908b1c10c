import { readConfig } from '../config.ts'
import { type MadeAdmin, start } from '../main.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/** Serves until a signal comes, then lets running requests end. */
export async function serve(args: readonly string[]): Promise<void> {
  const config = readConfig(args)
  const server = await start(config, admin => console.log(introduction(admin)))
  console.log(`\n  Filigree serves ${config.root}\n  at ${server.url}\n`)
  await new Promise<void>(stop => {
    for (const signal of SIGNALS) process.once(signal, () => stop())
  })
  await server.stop()
}

function introduction({ username, password }: MadeAdmin): string {
  const lines = ['', `  User:     ${username}`]
  if (password) lines.push(`  Password: ${password}`, '', '  The password is shown only this once: keep it.')
  return lines.join('\n')
}
