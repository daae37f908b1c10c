import { t } from '../../lib/i18n/index.ts'
import { lazyTool } from '../../lib/lazy.ts'
import { useSession } from '../../lib/session.ts'
import { CircleUser } from '../../ui/icons.ts'
import { MenuButton } from '../../ui/menu-button.tsx'

const AccountEntries = lazyTool(() => import('./account-entries.tsx'))
const menu = { load: AccountEntries.preload, Part: AccountEntries }

/** Theme, language, the command palette for users without a keyboard, and sign-out. */
export function AccountMenu() {
  const { user } = useSession()
  return (
    <MenuButton label={t('nav.account', { name: user?.username ?? '' })} menu={menu}>
      <CircleUser size={20} aria-hidden />
    </MenuButton>
  )
}
