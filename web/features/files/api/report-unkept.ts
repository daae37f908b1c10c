import { shownName } from '../../../../shared/bytes.ts'
import { nameOf, parsePath } from '../../../../shared/path.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'

/** Milliseconds in which what is reported becomes one notice. */
const TOGETHER = 300

const paths = new Set<string>()

/** Reports a replaced file of which the earlier content was not kept, or a folder with such files, in one notice for many. */
export function reportUnkept(path: string): void {
  if (paths.size === 0) setTimeout(announce, TOGETHER)
  paths.add(path)
}

function announce(): void {
  const [first = '/'] = paths
  notify('info', t('versions.unkept', { count: paths.size, item: shownName(nameOf(parsePath(first))) }))
  paths.clear()
}
