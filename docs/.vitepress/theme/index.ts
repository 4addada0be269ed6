/** The default theme in hookline's colours. */
import theme from 'vitepress/theme';
import './style.css';

// biome-ignore lint/style/noDefaultExport: VitePress reads the default export.
export default theme;
