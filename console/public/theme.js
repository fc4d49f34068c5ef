// Runs before the first paint. A file, because the policy allows no inline script.
try {
  const theme = localStorage.getItem('cspm.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  // Somebody is signed in: the shell is needed next, so it is loaded together with the start.
  if (localStorage.getItem('cspm.session')) {
    const names = document.querySelector('meta[name=shell]')?.content.split(' ') ?? [];
    for (const name of names) {
      const link = document.createElement('link');
      link.rel = 'modulepreload';
      link.href = `/console/${name}`;
      document.head.append(link);
    }
  }
} catch {
  // Storage is blocked: the theme of the system applies, and the shell is loaded after the start.
}
