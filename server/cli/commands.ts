import { VERSION } from '../version.ts'
import type { TopCommands } from './command.ts'

/** All top-level commands, loaded on demand. Dispatch, help and completion use this list. */
export const COMMANDS: TopCommands = {
  serve: {
    summary: 'Serve a folder (the default without a command)',
    does: { run: async args => (await import('./serve.ts')).serve(args) },
    serves: true,
  },
  config: {
    summary: 'Create a database; show, change, export and import settings',
    does: { group: () => import('./config/index.ts') },
  },
  users: {
    summary: 'Add, list, change, remove, export and import users',
    does: { group: () => import('./users/index.ts') },
  },
  rules: {
    summary: 'List, add and remove global rules and rules of a user',
    does: { group: () => import('./rules/index.ts') },
  },
  cmds: {
    summary: 'List, add and remove hooks',
    does: { group: () => import('./cmds/index.ts') },
  },
  audit: {
    summary: 'Verify or export the audit log',
    does: { group: () => import('./audit/index.ts') },
  },
  adopt: {
    summary: 'Import users, settings and share links from File Browser',
    does: { command: async () => (await import('./import-filebrowser/index.ts')).command },
  },
  backup: {
    summary: 'Back up the database to a file',
    does: { command: async () => (await import('./backup.ts')).command },
  },
  restore: {
    summary: 'Restore a backup',
    does: { command: async () => (await import('./restore.ts')).command },
  },
  'migrate-store': {
    summary: 'Copy the database between SQLite and PostgreSQL',
    does: { command: async () => (await import('./migrate-store.ts')).command },
  },
  doctor: {
    summary: 'Check the server and the proxy for problems',
    does: { command: async () => (await import('./doctor/index.ts')).command },
  },
  health: {
    summary: 'Check whether the local server accepts requests',
    does: { command: async () => (await import('./health.ts')).command },
  },
  hash: {
    summary: 'Print the bcrypt hash of a password',
    does: { command: async () => (await import('./hash.ts')).command },
  },
  completion: {
    summary: 'Print a shell completion script',
    does: { command: async commands => (await import('./completion.ts')).completionOf(commands) },
  },
  version: {
    summary: 'Print the version',
    does: { run: async () => console.log(`Filigree v${VERSION}`) },
  },
  help: {
    summary: 'Print this text, or the help of a command',
    does: { run: async (args, commands) => (await import('./help.ts')).help(args, commands) },
  },
}
