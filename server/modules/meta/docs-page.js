// Starts the API reference. openapi-explorer stands before this in the same script.
(() => {
  const COLORS = {
    light: {
      'bg-color': '#ffffff',
      'text-color': '#1f2933',
      'header-color': '#1d5fa8',
      'primary-color': '#1d5fa8',
      'secondary-color': '#1d5fa8',
      'nav-bg-color': '#f4f6f8',
      'nav-text-color': '#3b4754',
      'nav-hover-bg-color': '#e3e9ef',
      'nav-hover-text-color': '#123d6d',
    },
    dark: {
      'bg-color': '#14191f',
      'text-color': '#e4e7eb',
      'header-color': '#6cb2f5',
      'primary-color': '#6cb2f5',
      'secondary-color': '#6cb2f5',
      'nav-bg-color': '#1b2129',
      'nav-text-color': '#c3ccd5',
      'nav-hover-bg-color': '#2b3440',
      'nav-hover-text-color': '#ffffff',
    },
  };
  /** The names that the highlighter of openapi-explorer knows. */
  const LANGUAGES = { TypeScript: 'js', Shell: 'bash' };
  const explorer = document.querySelector('openapi-explorer');
  const system = matchMedia('(prefers-color-scheme: dark)');
  /** Null: the theme of the system. */
  let chosen = null;

  function showTheme() {
    const theme = chosen ?? (system.matches ? 'dark' : 'light');
    document.documentElement.dataset.theme = theme;
    for (const [name, color] of Object.entries(COLORS[theme])) explorer.setAttribute(name, color);
  }

  async function load() {
    const text = await (await fetch('/openapi.json')).text();
    const specification = JSON.parse(text.replaceAll('http://127.0.0.1:3000', location.origin));
    for (const item of Object.values(specification.paths)) {
      for (const operation of Object.values(item)) {
        operation['x-code-samples'] = operation['x-codeSamples'].map(({ lang, ...sample }) => ({
          ...sample,
          lang: LANGUAGES[lang] ?? lang,
        }));
        delete operation['x-codeSamples'];
      }
    }
    await explorer.loadSpec(specification);
  }

  document.getElementById('theme').addEventListener('click', () => {
    chosen = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
    showTheme();
  });
  document.getElementById('search').addEventListener('click', () => {
    explorer.onShowSearchModalClicked();
  });
  system.addEventListener('change', showTheme);
  showTheme();
  load();
})();
