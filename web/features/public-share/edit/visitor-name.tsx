import { shownName } from '../../../../shared/bytes.ts'
import { t } from '../../../lib/i18n/index.ts'
import { openPrompt } from '../../../lib/prompts.ts'
import { senderPreference } from '../../../lib/sender.ts'
import { useStore } from '../../../lib/store.ts'
import { Button } from '../../../ui/button.tsx'
import { CircleUser } from '../../../ui/icons.ts'
import type { Link } from '../link.ts'

/** The name that the owner sees with what this visitor changes, to change it. */
export default function VisitorName({ link }: { link: Link }) {
  const name = useStore(senderPreference.store)
  return (
    <Button
      kind="quiet"
      icon={<CircleUser size={18} aria-hidden />}
      onClick={() => openPrompt('visitorName', { link })}
    >
      <span className="visually-hidden">{t('links.yourName')} </span>
      <bdi>{shownName(name) || t('links.unnamed')}</bdi>
    </Button>
  )
}
