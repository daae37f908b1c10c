import type { ShareLink } from '../../../../shared/api/shares.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useSession } from '../../../lib/session.ts'

/** Why a share link does not open now, in words for its owner or for administrators. */
export default function LinkShut({ link: { shut, userID } }: { link: ShareLink }) {
  const { user } = useSession()
  if (shut === undefined) return null
  return t(userID === user?.id && shut !== 'owner' ? `links.shutForYou.${shut}` : `links.shut.${shut}`)
}
