import type { RecentList } from '../../../shared/api/marks.ts'
import { api, apiJson } from '../../lib/api.ts'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { useOnline } from '../../lib/online.ts'
import { queryClient, useQuery } from '../../lib/query.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'

const QUERY = {
  queryKey: ['recent'],
  queryFn: ({ signal }: { signal: AbortSignal }) => apiJson<RecentList>('/api/recent', { signal }),
}

async function send(init: RequestInit): Promise<boolean> {
  try {
    await api('/api/recent', init)
    return true
  } catch (error) {
    notify('error', errorText(error))
    return false
  } finally {
    await queryClient.invalidateQueries({ queryKey: QUERY.queryKey })
  }
}

/** What is noted of the files that the user opens. */
export function RecentCard() {
  const { data } = useQuery(QUERY)
  const online = useOnline()
  const clear = async () => {
    if (await send({ method: 'DELETE' })) notify('success', t('settings.recentCleared'))
  }
  const remember = (isOn: boolean) => void send({ method: 'PATCH', body: JSON.stringify({ remember: isOn }) })
  return (
    <Card
      title={t('nav.recent')}
      text={t('settings.recentText')}
      footer={
        <Button disabled={!online} onClick={() => void clear()}>
          {t('settings.clearRecent')}
        </Button>
      }
    >
      <Checkbox
        label={t('settings.rememberOpened')}
        checked={data?.remember ?? true}
        disabled={!online || !data}
        onChange={remember}
      />
    </Card>
  )
}
