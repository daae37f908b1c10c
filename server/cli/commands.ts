import { VERSION } from '../version.ts'
import type { TopCommands } from './command.ts'

/** Every command, loaded when it is called. Starting, help and completion read this list. */
export const COMMANDS: TopCommands = {
  serve: {
    summary: 'Serve a folder (this happens without a command, too)',
    does: { run: async args => (await import('./serve.ts')).serve(args) },
    serves: true,
  },
  config: {
    summary: 'Set up a database; show, change, export and import settings',
    does: { group: () => import('./config/index.ts') },
  },
  users: {
    summary: 'Add, list, change, remove, export and import users',
    does: { group: () => import('./users/index.ts') },
  },
  rules: {
    summary: 'List, add and remove rules, for everybody or for one user',
    does: { group: () => import('./rules/index.ts') },
  },
  cmds: {
    summary: 'List, add and remove the command lines of events',
    does: { group: () => import('./cmds/index.ts') },
  },
  audit: {
    summary: 'Check or print the log of who did what',
    does: { group: () => import('./audit/index.ts') },
  },
  adopt: {
    summary: 'Take over the users, settings and links of a File Browser',
    does: { command: async () => (await import('./import-filebrowser/index.ts')).command },
  },
  backup: {
    summary: 'Write users, settings and links to a file',
    does: { command: async () => (await import('./backup.ts')).command },
  },
  restore: {
    summary: 'Go back to a backup',
    does: { command: async () => (await import('./restore.ts')).command },
  },
  'migrate-store': {
    summary: 'Copy the whole state between SQLite and PostgreSQL',
    does: { command: async () => (await import('./migrate-store.ts')).command },
  },
  doctor: {
    summary: 'Look for what keeps a server from working well',
    does: { command: async () => (await import('./doctor/index.ts')).command },
  },
  health: {
    summary: 'Ask the server that runs here whether it takes requests',
    does: { command: async () => (await import('./health.ts')).command },
  },
  hash: {
    summary: 'Print the bcrypt hash of a password',
    does: { command: async () => (await import('./hash.ts')).command },
  },
  completion: {
    summary: 'Print a script with which a shell completes commands and flags',
    does: { command: async commands => (await import('./completion.ts')).completionOf(commands) },
  },
  version: {
    summary: 'Print the version',
    does: { run: async () => console.log(`Filigree v${VERSION}`) },
  },
  help: {
    summary: 'Print this text, or how one command is used',
    does: { run: async (args, commands) => (await import('./help.ts')).help(args, commands) },
  },
}
