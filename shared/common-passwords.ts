/**
 * The most common passwords, as their parts: what password crackers try first. Compiled by hand, not taken from a leak:
 * a word and a common ending, a word twice, two words, runs of a keyboard or of the alphabet, and repeated short
 * pieces.
 */
const WORDS = `
password passwort passw0rd p@ssword p@ssw0rd pa55word passwd pass motdepasse contrasena senha parola wachtwoord haslo
admin administrator root user guest test tester testing demo default master system server login access public private
changeme change letmein welcome willkommen bienvenue hello secret geheim topsecret trustno1 qwerty qwertz azerty asdfgh
zxcvbn qazwsx iloveyou ilovegod loveyou love lovely sweetheart darling princess prince angel babygirl babyboy sunshine
moonlight rainbow flower butterfly chocolate cookie cupcake cheese banana orange strawberry pumpkin summer winter spring
autumn january february march april june july august september october november december monday tuesday wednesday
thursday friday saturday sunday football fussball soccer baseball basketball hockey tennis dragon monkey tiger lion
eagle dolphin panther mustang ferrari porsche mercedes corvette harley yamaha shadow ghost hunter ranger killer ninja
samurai warrior knight wizard magic merlin batman superman spiderman ironman pokemon pikachu starwars startrek matrix
minecraft computer internet windows apple google facebook samsung android michael jennifer jordan ashley daniel thomas
jessica charlie andrew matthew joshua robert george william richard alexander nicole michelle maria anna julia whatever
nothing something freedom liberty forever blessed jesus christ heaven money business company office london berlin paris
america england germany france canada mexico liverpool arsenal chelsea barcelona realmadrid juventus cowboys yankees
steelers filebrowser filemanager filigree cloud storage backup files
`
  .trim()
  .split(/\s+/)

/** Common endings of a word when a digit or a special character is required. */
const ENDINGS = `
1 2 3 7 9 0 00 01 007 10 11 12 13 21 22 23 42 69 77 88 99 100 101 111 123 222 321 333 420 456 555 666 777 789 888 911
999 000 1111 1122 1212 1234 2222 4321 5555 6969 7777 9999 0000 12345 54321 11111 123123 123321 123456 654321 111111
1234567 12345678 123456789 1234567890 987654321 abc abc123 qwerty qwe123 admin ! !! !!! ? . @ # $ * 1! 12! 123! 1234!
12345! 123456! !1 !123 !1234 @1 @12 @123 @1234 @12345 #1 #123 _1 _123 -123 .123
`
  .trim()
  .split(/\s+/)

const FIRST_YEAR = 1950
const LAST_YEAR = 2035

/** Keyboard rows and counting; any part of them, forwards or backwards, is a run. */
const ROWS = [
  '12345678901234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop[]',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl;',
  'qsdfghjklm',
  'zxcvbnm,./',
  'yxcvbnm',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  '!@#$%^&*()_+',
]
/** Length of the shortest run that is recognised next to other runs. */
const SHORTEST_RUN = 3
/** Length of the longest piece whose repetition is recognised. */
const LONGEST_REPEATED = 6

const KNOWN_WORDS = new Set(WORDS)
const KNOWN_ENDINGS = new Set(['', ...ENDINGS])

/** Whether a password is one that crackers try first. Case is ignored. */
export function isCommonPassword(password: string): boolean {
  const text = password.toLowerCase()
  return isWordWithEnding(text) || isTwoWords(text) || isRuns(text) || isRepetition(text)
}

/** `summer2024!`, `password123`, also with the ending in front. */
function isWordWithEnding(text: string): boolean {
  for (let cut = 1; cut <= text.length; cut += 1) {
    const [head, tail] = [text.slice(0, cut), text.slice(cut)]
    if (KNOWN_WORDS.has(head) && isEnding(tail)) return true
    if (isEnding(head) && KNOWN_WORDS.has(tail)) return true
  }
  return false
}

/** Up to a year and an ending, as in `2024!`. */
function isEnding(text: string): boolean {
  if (KNOWN_ENDINGS.has(text)) return true
  const year = /^([@#!_.-]?)(\d{4})(.*)$/.exec(text)
  if (!year) return false
  const number = Number(year[2])
  return number >= FIRST_YEAR && number <= LAST_YEAR && KNOWN_ENDINGS.has(year[3] ?? '')
}

/** `passwordpassword`, `adminadmin123`, `iloveyou-monkey`. */
function isTwoWords(text: string): boolean {
  for (let cut = 1; cut < text.length; cut += 1) {
    if (!KNOWN_WORDS.has(text.slice(0, cut))) continue
    const rest = text.slice(cut).replace(/^[-_. ]/, '')
    for (let end = 1; end <= rest.length; end += 1) {
      if (KNOWN_WORDS.has(rest.slice(0, end)) && isEnding(rest.slice(end))) return true
    }
  }
  return false
}

/** A sequence of runs only: `qwertyuiop12`, `abcd1234abcd`, `asdfghjkl123`. */
function isRuns(text: string): boolean {
  let at = 0
  while (at < text.length) {
    const length = longestRun(text.slice(at))
    if (length < Math.min(SHORTEST_RUN, text.length - at)) return false
    at += length
  }
  return text !== ''
}

function longestRun(text: string): number {
  let length = 0
  for (const row of ROWS) {
    for (const way of [row, [...row].reverse().join('')]) {
      while (length < text.length && way.includes(text.slice(0, length + 1))) length += 1
    }
  }
  return length
}

/** A repeated short piece, possibly cut at the end: `aaaaaaaaaaaa`, `abcabcabcabc`. */
function isRepetition(text: string): boolean {
  for (let length = 1; length <= LONGEST_REPEATED && length * 2 <= text.length; length += 1) {
    const piece = text.slice(0, length)
    if (piece.repeat(Math.ceil(text.length / length)).startsWith(text)) return true
  }
  return false
}
