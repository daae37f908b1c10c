import type { Migration } from 'kysely/migration'
import { up as start } from './0001-start.ts'
import { up as uploads } from './0003-uploads.ts'
import { up as shares } from './0004-shares.ts'
import { up as jobs } from './0005-jobs.ts'
import { up as leftovers } from './0006-leftovers.ts'

/** Every migration, oldest first. A released one is never changed; a new one is one line here. */
export const MIGRATIONS: Record<string, Migration> = {
  '0001-start': { up: start },
  '0003-uploads': { up: uploads },
  '0004-shares': { up: shares },
  '0005-jobs': { up: jobs },
  '0006-leftovers': { up: leftovers },
}
