import { t } from '../../../lib/i18n/index.ts'
import { knownEntry } from '../api/list.ts'
import { nameProblem } from '../items/names.ts'

/**
 * Why an item cannot have this name in a folder, as far as known here. @param folder its path, or the names in it @param own a name that is allowed although it is
 * taken: the item's own
 */
export function problemWith(
  name: string,
  folder: string | ReadonlySet<string>,
  own: string | undefined,
): string | undefined {
  const isThere = typeof folder === 'string' ? knownEntry(folder, name) !== undefined : folder.has(name)
  const taken = name !== own && isThere
  return nameProblem(name) ?? (taken ? t('files.nameTaken', { name }) : undefined)
}
