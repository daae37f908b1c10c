import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { parentOf, parsePath } from '../../../../shared/path.ts'
import { unlessMissing } from '../../../lib/api.ts'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { queryClient, useQuery } from '../../../lib/query.ts'
import { currentFolder, HOME_URL, navigate } from '../../../lib/router.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { leaveGrant, receivedQuery } from '../../files/api/grants.ts'
import { reloadFolders } from '../../files/api/list.ts'

/** Confirms that the user no longer wants to see what another user shares. */
export default function LeaveSharedPrompt({ item }: { item: Pick<ResourceItem, 'path' | 'name'> }) {
  const { data } = useQuery(receivedQuery)
  const shared = data?.items.find(({ path }) => path === item.path.replace(/\/$/, ''))
  const run = async () => {
    if (shared) await unlessMissing(leaveGrant(shared.id))
    closePrompt()
    // With the last one the folder of what others share is gone, too.
    const received = await queryClient.fetchQuery(receivedQuery).catch(() => undefined)
    if (received?.folder === null && currentFolder() === parentOf(parsePath(item.path))) await navigate(HOME_URL)
    await reloadFolders()
  }
  return (
    <ConfirmDialog
      title={t('grants.leaveTitle', { name: item.name })}
      description={t('grants.leaveText', { owner: shared?.owner ?? '' })}
      confirm={t('grants.leave')}
      run={run}
    />
  )
}
