/** The catalogue of the pseudo-locale. */
declare module 'virtual:pseudo-texts' {
  const texts: import('./catalogues.ts').Catalogue
  export default texts
}

declare module 'virtual:pseudo-texts?tools' {
  const texts: import('./catalogues.ts').Catalogue
  export default texts
}

declare module 'virtual:pseudo-texts?settings' {
  const texts: import('./catalogues.ts').Catalogue
  export default texts
}

declare module 'virtual:pseudo-texts?history' {
  const texts: import('./catalogues.ts').Catalogue
  export default texts
}

declare module 'virtual:pseudo-texts?people' {
  const texts: import('./catalogues.ts').Catalogue
  export default texts
}

declare module 'virtual:pseudo-texts?signIn' {
  const texts: import('./catalogues.ts').Catalogue
  export default texts
}

declare module 'virtual:pseudo-texts?links' {
  const texts: import('./catalogues.ts').Catalogue
  export default texts
}

declare module 'virtual:pseudo-texts?webhooks' {
  const texts: import('./catalogues.ts').Catalogue
  export default texts
}

declare module 'virtual:pseudo-texts?mail' {
  const texts: import('./catalogues.ts').Catalogue
  export default texts
}

declare module 'virtual:pseudo-texts?connect' {
  const texts: import('./catalogues.ts').Catalogue
  export default texts
}

declare module 'virtual:pseudo-texts?host' {
  const texts: import('./catalogues.ts').Catalogue
  export default texts
}
