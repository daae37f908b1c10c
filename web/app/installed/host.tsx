import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { RECEIVED_PARAMETER, type ReceivedResult } from '../../../shared/received.ts'
import { type MessageKey, t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { navigate, usePlace } from '../../lib/router.tsx'
import { useSession } from '../../lib/session.ts'
import { watchInstallOffer } from './offer.ts'
import { findReceived, forgetReceivedOnLogout } from './received.ts'
import ReceivedCard from './received-card.tsx'
import { watchUploads } from './while-uploading.ts'
import { registerWorker } from './worker.ts'

/** Why nothing was kept of a share. */
const REFUSED: Readonly<Record<Exclude<ReceivedResult, 'kept'>, MessageKey>> = {
  large: 'received.large',
  failed: 'received.failed',
  again: 'received.again',
}

/** What makes the page an app: its service worker, the offer to install it, and what other apps share with it. */
export default function InstalledHost() {
  const { user } = useSession()
  useEffect(() => {
    watchInstallOffer()
    watchUploads()
    forgetReceivedOnLogout()
    void registerWorker()
  }, [])
  const signedIn = user !== null
  useShareResult(signedIn)
  useEffect(() => {
    // What cannot be read is no loss for the page.
    if (signedIn) void findReceived().catch(() => undefined)
  }, [signedIn])
  const activities = document.getElementById('activity')
  return activities && createPortal(<ReceivedCard />, activities)
}

/** Reports a share that was refused, and takes its result out of the address. */
function useShareResult(signedIn: boolean): void {
  const { address } = usePlace()
  useEffect(() => {
    const url = new URL(address, location.origin)
    const result = url.searchParams.get(RECEIVED_PARAMETER)
    if (!signedIn || result === null) return
    url.searchParams.delete(RECEIVED_PARAMETER)
    void navigate(url.pathname + url.search, { replace: true })
    if (Object.hasOwn(REFUSED, result)) notify('error', t(REFUSED[result as keyof typeof REFUSED]))
    else void findReceived().catch(() => undefined)
  }, [address, signedIn])
}
