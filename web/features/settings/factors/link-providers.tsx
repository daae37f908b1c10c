import { type FormEvent, type ReactNode, useState } from 'react'
import type { AccountIdentity } from '../../../../shared/api/providers.ts'
import { pageConfig } from '../../../lib/config.ts'
import { errorText } from '../../../lib/error-text.ts'
import { formatRelative } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { useOnline } from '../../../lib/online.ts'
import { useQuery } from '../../../lib/query.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { CurrentPassword, useConfirmation } from '../../../ui/current-password.tsx'
import { disconnect, identitiesQuery, linkLocation } from '../api/identities.ts'
import styles from './factors.module.css'

/**
 * The caller's accounts at providers and directories, and providers that can be connected (http-api 45). Nothing where
 * there are none.
 */
export default function LinkProviders() {
  const { data = [] } = useQuery(identitiesQuery)
  const others = pageConfig.Providers.filter(({ slug }) => !data.some(one => one.kind === 'oidc' && one.slug === slug))
  if (data.length === 0 && others.length === 0) return null
  return (
    <Card title={t('signIn.linkTitle')} {...(others.length > 0 && { text: t('signIn.linkText') })}>
      {data.length > 0 && (
        <ul className={styles.list}>
          {data.map(identity => (
            <Identity key={`${identity.kind} ${identity.label}`} identity={identity} />
          ))}
        </ul>
      )}
      {others.map(({ slug, label }) => (
        <Confirmed key={slug} act={password => goTo(slug, password)} button={t('signIn.link', { provider: label })} />
      ))}
    </Card>
  )
}

function Identity({ identity: { slug, label, username, used, removable } }: { identity: AccountIdentity }) {
  const end = async (password: string | undefined) => {
    await disconnect(slug ?? '', password)
    notify('success', t('signIn.unlinked', { provider: label }))
  }
  return (
    <li className={styles.item}>
      <div>
        <bdi>{username === '' ? label : `${label}: ${username}`}</bdi>
        <p className={styles.facts}>{t('passkeys.used', { when: formatRelative(Date.parse(used)) })}</p>
      </div>
      {removable && <Confirmed act={end} button={t('signIn.unlink')} label={`${t('signIn.unlink')}: ${label}`} />}
    </li>
  )
}

/** A button, with the current password once the server asks for it. */
function Confirmed(props: { act: (password: string | undefined) => Promise<void>; button: ReactNode; label?: string }) {
  const confirmation = useConfirmation()
  const online = useOnline()
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    try {
      await props.act(confirmation.password)
    } catch (error) {
      if (!confirmation.takes(error)) notify('error', errorText(error))
    }
    setBusy(false)
  }
  return (
    <form className={styles.form} onSubmit={event => void submit(event)}>
      <CurrentPassword confirmation={confirmation} />
      <div>
        <Button type="submit" busy={busy} disabled={!online} aria-label={props.label}>
          {props.button}
        </Button>
      </div>
    </form>
  )
}

async function goTo(slug: string, password: string | undefined): Promise<void> {
  location.assign(await linkLocation(slug, password, location.pathname.slice(pageConfig.BaseURL.length)))
}
