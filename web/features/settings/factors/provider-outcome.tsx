import { useEffect } from 'react'
import { pageConfig } from '../../../lib/config.ts'
import { t } from '../../../lib/i18n/index.ts'
import { dismissNotice, notify } from '../../../lib/notices.ts'
import { onceChanged } from '../../../lib/presence.ts'
import { problemText } from '../../../lib/provider-problem.ts'

/** Says how a visit to a provider ended that began on a page of the settings (http-api 45, 46). */
export default function ProviderOutcome() {
  useEffect(announceOutcome, [])
  return null
}

/** Shows what the server has put into the address of the page, which then loses it. */
function announceOutcome(): void {
  const query = new URLSearchParams(location.search)
  const [linked, confirmed, problem] = ['linked', 'confirmed', 'problem'].map(name => query.get(name))
  const slug = linked ?? confirmed ?? query.get('provider')
  const provider = pageConfig.Providers.find(known => known.slug === slug)?.label
  if (provider === undefined) return
  if (linked != null) notify('success', t('signIn.linked', { provider }))
  else if (confirmed != null) askToRepeat()
  else if (problem != null) notify('error', problemText(problem, provider))
  history.replaceState(history.state, '', location.pathname)
}

/** The page was left for the provider, with its change: the user makes it again, and needs no request for it then. */
function askToRepeat(): void {
  const notice = notify('info', t('signIn.confirmed'))
  onceChanged(() => dismissNotice(notice))
}
