/** The default theme in hookline's colours. */
import theme from 'vitepress/theme';
import './style.css';

export default theme;
