import type { TaggedResult } from '../../../shared/api/tags.ts'
import { errorText } from '../../lib/error-text.ts'
import { notify } from '../../lib/notices.ts'
import { jobErrorOf } from '../files/api/job-error.ts'
import { reloadMarks } from '../files/api/marks.ts'
import { reloadTags, setTags } from '../files/api/tags.ts'

/** Reloads what shows tags. */
export async function reloadTagged(): Promise<void> {
  await Promise.all([reloadTags(), reloadMarks()])
}

/** Adds tags to items, or removes tags, and reports what was refused. Never rejects. */
export async function changeTags(
  paths: readonly string[],
  change: { add?: string[]; remove?: string[] },
): Promise<void> {
  try {
    const refused = (await setTags(paths, change)).find(({ code }) => code !== undefined)
    if (refused) notify('error', refusalOf(refused))
  } catch (error) {
    notify('error', errorText(error))
  }
  await reloadTagged()
}

const refusalOf = ({ code = 'internal' }: TaggedResult): string => errorText(jobErrorOf(code))
