// An open dialog or menu locks the scrolling of the page with a style element. Our content security policy allows it
// only with the nonce of the page, which its library (get-nonce) reads from this variable.
if (typeof document !== 'undefined')
  Object.assign(globalThis, { __webpack_nonce__: document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce });
