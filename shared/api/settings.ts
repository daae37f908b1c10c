import * as z from 'zod/mini'

/** One allow or deny rule (contract 15.4). */
export const RuleSchema = z.object({
  regex: z._default(z.boolean(), false),
  allow: z._default(z.boolean(), false),
  path: z._default(z.string().check(z.maxLength(4096)), ''),
  regexp: z._default(z.nullable(z.object({ raw: z.string().check(z.maxLength(1024)) })), null),
})

const Branding = z.object({
  name: z._default(z.string().check(z.maxLength(256)), ''),
  disableExternal: z._default(z.boolean(), false),
  disableUsedPercentage: z._default(z.boolean(), false),
  files: z._default(z.string().check(z.maxLength(4096)), ''),
  theme: z._default(z.enum(['', 'light', 'dark', 'auto']), 'auto'),
  color: z._default(z.string().check(z.maxLength(64)), ''),
})

/** The instance's settings (contract 15.5), each with the value a new installation starts with. */
export const SettingsSchema = z.object({
  signup: z._default(z.boolean(), false),
  hideLoginButton: z._default(z.boolean(), false),
  createUserDir: z._default(z.boolean(), false),
  userHomeBasePath: z._default(z.string().check(z.maxLength(4096)), '/users'),
  branding: z._default(
    Branding,
    () =>
      ({
        name: '',
        disableExternal: false,
        disableUsedPercentage: false,
        files: '',
        theme: 'auto',
        color: '',
      }) as const,
  ),
  rules: z._default(z.array(RuleSchema).check(z.maxLength(100)), () => []),
  minimumPasswordLength: z._default(z.int().check(z.minimum(1), z.maximum(1024)), 12),
})

export type Settings = z.infer<typeof SettingsSchema>
