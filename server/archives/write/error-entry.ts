import { shownName } from '../../../shared/bytes.ts'
import type { FilePath } from '../../../shared/path.ts'
import type { ErrorCode } from '../../errors.ts'

/** A requested or encountered entry that is missing from the archive, and why. */
export interface Problem {
  path: FilePath
  why: ErrorCode | 'folder_link'
}

/** Limit of lines in the list. */
const MAX_LINES = 10_000

/** The list of what is missing from an archive, for people. */
export function problemText(problems: readonly Problem[]): string {
  const lines = problems
    .slice(0, MAX_LINES)
    .map(({ path, why }) => `${shownName(path)}: ${REASONS[why] ?? 'could not be read'}`)
  const more = problems.length - lines.length
  if (more > 0) lines.push(`and ${more} more`)
  return `These are not in this archive:\n\n${lines.join('\n')}\n`
}

const REASONS: Partial<Record<Problem['why'], string>> = {
  forbidden: 'may not be read',
  server_refused: 'may not be read by the server',
  not_found: 'is not there',
  outside_scope: 'is a link that leads elsewhere',
  special_file: 'is not a regular file',
  folder_link: 'is a link to a folder',
}
