import { type FormEvent, useEffect, useState } from 'react'
import type { ProviderAddress } from '../../../../shared/api/oidc.ts'
import { apiJson } from '../../../lib/api.ts'
import { pageConfig } from '../../../lib/config.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { useOnline } from '../../../lib/online.ts'
import { problemText } from '../../../lib/provider-problem.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { CurrentPassword, useConfirmation } from '../../../ui/current-password.tsx'
import styles from './factors.module.css'

/** Connects the caller's account with OpenID providers (http-api 45), and says how the last attempt ended. */
export default function LinkProviders() {
  useEffect(tellOutcome, [])
  return (
    <Card title={t('signIn.linkTitle')} text={t('signIn.linkText')}>
      {pageConfig.Providers.map(({ slug, label }) => (
        <LinkProvider key={slug} slug={slug} label={label} />
      ))}
    </Card>
  )
}

/** A button, with the current password once the server asks for it. */
function LinkProvider({ slug, label }: { slug: string; label: string }) {
  const confirmation = useConfirmation()
  const online = useOnline()
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    try {
      location.assign(await linkLocation(slug, confirmation.password))
    } catch (error) {
      if (!confirmation.takes(error)) notify('error', errorText(error))
      setBusy(false)
    }
  }
  return (
    <form className={styles.form} onSubmit={event => void submit(event)}>
      <CurrentPassword confirmation={confirmation} />
      <div>
        <Button type="submit" busy={busy} disabled={!online}>
          {t('signIn.link', { provider: label })}
        </Button>
      </div>
    </form>
  )
}

/** The address of a provider to which the browser goes. @throws ApiError 400 without the right password */
async function linkLocation(slug: string, password: string | undefined): Promise<string> {
  const redirect = location.pathname.slice(pageConfig.BaseURL.length)
  const { location: address } = await apiJson<ProviderAddress>(`/api/oidc/${slug}/link`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ current_password: password, redirect }),
  })
  return address
}

/** Shows what the server has put into the address of this page, which then loses it. */
function tellOutcome(): void {
  const query = new URLSearchParams(location.search)
  const [linked, problem] = [query.get('linked'), query.get('problem')]
  const slug = linked ?? query.get('provider')
  const provider = pageConfig.Providers.find(known => known.slug === slug)?.label
  if (provider === undefined) return
  if (linked !== null) notify('success', t('signIn.linked', { provider }))
  else if (problem !== null) notify('error', problemText(problem, provider))
  history.replaceState(history.state, '', location.pathname)
}
