import type { DuplicateGroup } from '../../../shared/api/integrity.ts'

/** Which file of a group stays. */
export type KeepRule = 'oldest' | 'shortest'

/** The path of the file that stays; the first of those that are equal by the rule. */
export function keptOf({ files }: Pick<DuplicateGroup, 'files'>, rule: KeepRule): string {
  const rank = (file: DuplicateGroup['files'][number]) =>
    rule === 'oldest' ? Date.parse(file.modified) : file.path.length
  const [first = { path: '/', modified: '' }, ...others] = files
  return others.reduce((kept, file) => (rank(file) < rank(kept) ? file : kept), first).path
}
