import { type Strength, strengthOf } from '../../shared/password-strength.ts'
import { t } from '../lib/i18n/index.ts'
import styles from './password-strength.module.css'

const TEXTS = {
  easy: 'fields.passwordEasy',
  weak: 'strength.weak',
  good: 'strength.good',
  strong: 'strength.strong',
} as const satisfies Record<Strength, string>

/** How hard a password is to guess: a bar and a sentence. */
export default function PasswordStrength({ password }: { password: string }) {
  const strength = strengthOf(password)
  return (
    <>
      <div className={styles.track} aria-hidden>
        <div className={styles.fill} data-strength={strength} />
      </div>
      <p className={styles.text}>{t(TEXTS[strength])}</p>
    </>
  )
}
