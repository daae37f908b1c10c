import type { ShareLink } from '../../shared/api/shares.ts'
import { copyText } from './clipboard.ts'
import { t } from './i18n/index.ts'
import { notify } from './notices.ts'
import { shareUrl } from './shares.ts'

/** Copies a link to the clipboard and confirms it. */
export async function copyLink(link: ShareLink): Promise<void> {
  if (await copyText(shareUrl(link))) notify('success', t('shares.linkCopied'))
  else notify('info', t('shares.copyByHand'))
}
