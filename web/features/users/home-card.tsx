import { useState } from 'react'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { useOnline } from '../../lib/online.ts'
import { useQuery } from '../../lib/query.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import styles from '../../ui/form.module.css'
import { homelessQuery, setHome } from './api/users.ts'

/** Takes the home of a user, or gives it back. It counts at once. */
export default function HomeCard({ id }: { id: number }) {
  const { data } = useQuery(homelessQuery)
  const [busy, setBusy] = useState(false)
  const online = useOnline()
  if (!data) return null
  const hasHome = !data.has(id)
  const act = async () => {
    if (busy) return
    setBusy(true)
    try {
      await setHome(id, !hasHome)
      notify('success', t(hasHome ? 'accounts.homeTaken' : 'accounts.homeGiven'))
    } catch (error) {
      notify('error', errorText(error))
    }
    setBusy(false)
  }
  return (
    <Card title={t('accounts.home')} text={t(hasHome ? 'accounts.takeHomeText' : 'accounts.giveHomeText')}>
      <Button className={styles.start} busy={busy} disabled={!online} onClick={() => void act()}>
        {t(hasHome ? 'accounts.takeHome' : 'accounts.giveHome')}
      </Button>
    </Card>
  )
}
