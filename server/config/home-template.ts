import * as z from 'zod/mini'

const LONGEST = 512

/**
 * A setting for the folder of a newcomer, such as `/homes/{claim:department}/{username}`; `''` for the folder of every
 * new account. Without a placeholder, all newcomers would have one folder.
 * @param source of the values that the host may name besides the name of the user
 */
export const homeTemplate = (source: 'claim' | 'attribute') =>
  z._default(
    z.string().check(
      z.maxLength(LONGEST),
      z.refine(text => text === '' || isTemplate(text, source)),
    ),
    '',
  )

function isTemplate(text: string, source: string): boolean {
  const placeholder = new RegExp(`\\{(?:username|${source}:[^{}\\p{Cc}]{1,128})\\}`, 'gu')
  const filled = text.replace(placeholder, 'x')
  const [root, ...names] = filled.split('/')
  const areNames = root === '' && names.every(name => name !== '' && name !== '.' && name !== '..')
  return filled !== text && areNames && !/[{}\\\p{Cc}]/u.test(filled)
}
