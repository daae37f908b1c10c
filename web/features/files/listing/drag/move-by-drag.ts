import { actionById, currentContext } from '../../../../lib/actions.ts'
import { apiUrl } from '../../../../lib/api.ts'
import { currentFolder, filesUrl, navigate } from '../../../../lib/router.tsx'
import { sessionStore } from '../../../../lib/session.ts'
import { rawPath } from '../../api/resource.ts'
import { copyItems, moveItems } from '../../operations/transfer.ts'
import { dragWith } from './drag.ts'

const permissions = () => sessionStore.get().user?.perm

/**
 * Starts a drag of items. Dropping them onto a folder moves them there, or copies them with Ctrl (⌥ on macOS); both can
 * be undone.
 */
export const beginDrag = dragWith({
  may: copy => (copy ? permissions()?.create : permissions()?.rename) ?? false,
  drop: (items, folder, copy) => void (copy ? copyItems : moveItems)(items, folder),
  isShown: folder => folder === currentFolder(),
  show: folder => void navigate(filesUrl(folder, true)),
  address: ({ path }) => (permissions()?.download ? apiUrl(rawPath(path)) : undefined),
  star: items => void actionById('star')?.run({ ...currentContext(), selection: items }),
})
