// Runs before the first paint. A file, because the policy allows no inline script.
try {
  const theme = localStorage.getItem('cspm.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is blocked: the theme of the system applies.
}
